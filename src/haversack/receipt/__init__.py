"""Receipt: the account of a packet, the packet a caller gets, and what can be asked of either afterwards."""
