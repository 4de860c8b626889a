"""The Ray engine: collecting hosts on every machine of a cluster, and the coordinator of all."""
