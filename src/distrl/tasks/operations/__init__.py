"""Operations: what can be done in the apps, and the templates that are derived from them."""
