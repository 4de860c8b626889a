"""The scenes behind the photographs, in units of 100 across the middle square."""
