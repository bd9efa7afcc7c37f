package commands

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"kroo/internal/doc"
)

// inJSON reports whether the results are wanted as JSON.
func inJSON(cmd *cobra.Command) bool {
	asJSON, err := cmd.Flags().GetBool("json")
	return err == nil && asJSON
}

// show prints a document: its text under a name, "" for none, or with --json its value.
func show(cmd *cobra.Command, name string, d *doc.Doc) error {
	if _, err := io.WriteString(text(cmd), d.Text(name)); err != nil {
		return err
	}
	return value(cmd, d.Value)
}

// text is where a command prints what people read: nowhere with --json.
func text(cmd *cobra.Command) io.Writer {
	if inJSON(cmd) {
		return io.Discard
	}
	return cmd.OutOrStdout()
}

// value prints what a command has found or made, with --json.
func value(cmd *cobra.Command, v any) error {
	if !inJSON(cmd) {
		return nil
	}
	return printJSON(cmd.OutOrStdout(), v)
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false) // <1 stays <1
	return enc.Encode(v)
}
