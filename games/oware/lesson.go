package oware

// Exercise is a position of the lesson for newcomers: what it teaches, and the moves that show it.
type Exercise struct {
	Name  string `json:"name"`
	Board string `json:"board"` // South to move, abapa rules
	Rule  string `json:"rule"`
	Task  string `json:"task"`
	Moves string `json:"moves"` // that are right, by their letters
	Right string `json:"right"` // comment on such a move
	Wrong string `json:"wrong"` // comment on any other
}

// Lesson is the rules of oware in five positions to play.
func Lesson() []Exercise {
	return []Exercise{
		{
			Name: "Sow", Board: "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", Moves: "CDEF",
			Rule:  "You are South and own the houses A to F. A move empties one of them and puts its seeds one by one into the next houses, counter-clockwise: along your row, and on into North's.",
			Task:  "Sow a house whose last seed lands on North's side.",
			Right: "Right: the last of the four seeds lands on North's side.",
			Wrong: "All four seeds stay on your side. Count four houses on from the one that you choose.",
		}, {
			Name: "Capture", Board: "0-1-3-2-2-0-1-5-4-0-6-3-10-11-S", Moves: "E",
			Rule:  "If your last seed lands on North's side and makes two or three there, you capture them. The first side with more than 24 seeds wins.",
			Task:  "Capture North's seeds in a.",
			Right: "Right: your last seed makes two in a, and both are yours.",
			Wrong: "That captures nothing. Your last seed has to land in a, which has one seed.",
		}, {
			Name: "Chain", Board: "1-1-1-1-1-3-1-2-1-4-4-4-12-12-S", Moves: "F",
			Rule:  "After a capture, the house before counts too: if it also has two or three seeds, you take them, and so on backwards along North's row.",
			Task:  "Capture three houses with one move.",
			Right: "Right: two in c, three in b and two in a. All seven are yours.",
			Wrong: "That does not capture three houses. Look for a move that adds a seed to a, b and c.",
		}, {
			Name: "Feed", Board: "1-0-2-0-1-1-0-0-0-0-0-0-22-21-S", Moves: "F",
			Rule:  "If North has no seeds, you have to make a move that gives it some. If you could take all of North's seeds, you would take none.",
			Task:  "North's houses are empty. Make a move that is allowed.",
			Right: "Right: F is the only house whose seed reaches North.",
			Wrong: "That move leaves North without seeds, so it is not allowed.",
		}, {
			Name: "End", Board: "0-0-1-0-0-2-4-2-0-1-5-0-22-11-S", Moves: "F",
			Rule:  "The game ends when a side has more than 24 seeds, has no move, or repeats a position; then each side also takes the seeds in its own houses.",
			Task:  "You have 22 seeds. Win the game with this move.",
			Right: "Right: three seeds make 25, more than half of 48. You have won.",
			Wrong: "The game continues. Three more seeds would be enough: where does North have two?",
		},
	}
}
