package commands

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"kroo/internal/doc"
)

// show prints a document: its text under a name, "" for none, or with --json its value.
func show(cmd *cobra.Command, name string, d *doc.Doc) error {
	if asJSON, err := cmd.Flags().GetBool("json"); err == nil && asJSON {
		return printJSON(cmd.OutOrStdout(), d.Value)
	}
	_, err := io.WriteString(cmd.OutOrStdout(), d.Text(name))
	return err
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false) // <1 stays <1
	return enc.Encode(v)
}
