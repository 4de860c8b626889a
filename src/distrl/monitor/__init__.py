"""What a run tells: metrics that carry their reduction, and whoever writes or shows them."""
