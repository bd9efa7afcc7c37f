package client

import (
	"context"
	"slices"

	"kroo/games"
)

// Supervised is a program that is started on first use, and restarted after a fault, which ends it.
// It is not safe for concurrent use.
type Supervised[P games.Position[P]] struct {
	game    *games.Game[P]
	command Command
	*Client[P]
}

// Supervise returns a program that is not started yet.
func Supervise[P games.Position[P]](game *games.Game[P], command Command) *Supervised[P] {
	return &Supervised[P]{game: game, command: command, Client: &Client[P]{}}
}

// Run starts the program unless it is running.
func (s *Supervised[P]) Run(ctx context.Context) error {
	if s.process != nil {
		return nil
	}
	c, err := Start(ctx, s.game, s.command)
	if err == nil {
		s.Client = c
	}
	return err
}

// Search is [Client.Search].
func (s *Supervised[P]) Search(ctx context.Context, l *games.Line[P], lim Limits, info func(Answer)) (Answer, error) {
	if err := s.Run(ctx); err != nil {
		return Answer{}, err
	}
	a, err := s.Client.Search(ctx, l, lim, info)
	if err != nil {
		s.Close()
	}
	return a, err
}

// NewGame is [Client.NewGame]. A program that broke down between games is restarted once.
func (s *Supervised[P]) NewGame(ctx context.Context) error {
	if s.process != nil && s.Client.NewGame(ctx) == nil {
		return nil
	}
	s.Close()
	if err := s.Run(ctx); err != nil {
		return err
	}
	return s.Client.NewGame(ctx)
}

// Configure sets the program's options. It restarts a program with options that the new ones do not
// replace, since options persist.
func (s *Supervised[P]) Configure(ctx context.Context, options []Option) {
	same := slices.EqualFunc(s.command.Options, options, func(a, b Option) bool { return a.Name == b.Name })
	s.command.Options = options
	if s.process != nil && (!same || s.setOptions(ctx, options) != nil) {
		s.Close()
	}
}
