"""Word tables that the content of the phone is built from."""
