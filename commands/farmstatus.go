package commands

import (
	"github.com/spf13/cobra"

	"kroo/farm/natspool"
)

func farmStatusCommand() *cobra.Command {
	var f farmConfig
	return newCommand(&cobra.Command{
		Use:   "status URL",
		Short: "the sessions and workers of a farm",
		Long: `Lists the sessions and workers of a farm: for each session its unanswered and finished
tasks, their rate and the time to go; for each worker its threads, rate, and finished
tasks.`,
		Example: "  train farm status nats://127.0.0.1:4222",
	}, func(j *job) error {
		c, err := f.configFor(j.args[0], false)
		if err != nil {
			return err
		}
		status, err := natspool.ReadStatus(j.Context(), c)
		if err != nil {
			return err
		}
		return j.show("", status.Doc())
	}, &f)
}
