package endgame

// force marks the nodes where a player wins the co-Büchi game. The player is
// the claimant if goal is won, else the claimant's opponent. They win if they force an
// ending in their favour, or if they can stay forever among nodes whose repetition is
// such an ending.
func (c *component) force(goal outcome, in []bool) {
	c.queue = c.queue[:0]
	for i := range in {
		in[i], c.left[i] = false, int32(len(c.succ[i]))
		bad := c.leaves[i]&^(1<<goal) != 0
		switch {
		case c.moves[c.nodes[i]] == (goal == won):
			in[i] = c.leaves[i]>>goal&1 != 0
		case bad: // the opponent can leave
			c.left[i] = -1
		default:
			in[i] = c.left[i] == 0
		}
		if in[i] {
			c.queue = append(c.queue, int32(i))
		}
	}
	c.work -= int64(2 * len(in))
	for {
		c.attract(goal, in)
		if !c.stay(goal, in) {
			return
		}
	}
}

// attract adds the attractor of the set: the nodes from which the player can
// force their way into it. left counts the moves of the opponent that avoid it.
func (c *component) attract(goal outcome, in []bool) {
	for len(c.queue) > 0 {
		j := c.queue[len(c.queue)-1]
		c.queue = c.queue[:len(c.queue)-1]
		c.work -= int64(len(c.pred[j]))
		for _, i := range c.pred[j] {
			if in[i] || c.left[i] < 0 {
				continue
			}
			if c.moves[c.nodes[i]] != (goal == won) {
				if c.left[i]--; c.left[i] > 0 {
					continue
				}
			}
			in[i] = true
			c.queue = append(c.queue, i)
		}
	}
}

// stay adds the nodes where the player can stay among good nodes forever or until they reach
// the set, and queues them. It returns false if it finds none.
func (c *component) stay(goal outcome, in []bool) bool {
	candidates := 0
	for i := range in {
		c.staying[i] = !in[i] && c.left[i] >= 0 && c.ending(int32(i)) == goal
		if c.staying[i] {
			candidates++
		}
	}
	c.work -= int64(2 * len(in))
	if candidates == 0 {
		return false
	}
	check := func(i int32) {
		if c.staying[i] && !c.stays(i, goal, in) {
			c.staying[i] = false
			candidates--
			c.queue = append(c.queue, i)
		}
	}
	for i := range in {
		check(int32(i))
	}
	for len(c.queue) > 0 {
		j := c.queue[len(c.queue)-1]
		c.queue = c.queue[:len(c.queue)-1]
		for _, i := range c.pred[j] {
			check(i)
		}
	}
	for i := range in {
		if c.staying[i] {
			in[i] = true
			c.queue = append(c.queue, int32(i))
		}
	}
	return candidates > 0
}

// stays reports whether the player can force the next move from i to lead to the
// set or to a candidate for staying.
func (c *component) stays(i int32, goal outcome, in []bool) bool {
	c.work -= int64(len(c.succ[i]))
	player := c.moves[c.nodes[i]] == (goal == won)
	for _, j := range c.succ[i] {
		if (in[j] || c.staying[j]) == player {
			return player
		}
	}
	return !player
}
