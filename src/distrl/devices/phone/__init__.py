"""The embedded phone: screens, apps and the world behind them."""
