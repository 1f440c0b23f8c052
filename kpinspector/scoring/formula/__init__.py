"""The score as the SDK counts it: four dimensions, weights, overrides, verdict; pure values."""
