"""Pure steps between a collector and the store: values in, values out."""
