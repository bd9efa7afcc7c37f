// Package engine holds what plays. [Bench] searches a fixed list of positions;
// its node count, the [Signature], tells one version of the search from another.
//
// The search itself is in kroo/engine/search.
package engine
