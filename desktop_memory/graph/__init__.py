"""Events and what they share as a graph, derived from the store. The only place that knows Kuzu."""
