"""The grammar of requests: how people say what they want done."""
