// Nothing does nothing: it costs what starting any Go program costs.
package main

func main() {}
