package natspool

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kroo/internal/testkit"
)

// docs/formats.md names the objects on the server, and no others.
func TestFormatsDocNamesTheServersObjects(t *testing.T) {
	_, section, _ := strings.Cut(testkit.Text(t, "../../docs/formats.md"), "## What a farm sends\n")
	section, _, _ = strings.Cut(section, "\n## ")
	names := []string{
		tasksStream, tasksSubject + "SESSION", answersSubject + "SESSION", filesBucket, keysBucket,
		sessionKeys + "ID", workerKeys + "ID",
	}
	for _, name := range names {
		testkit.Contains(t, section, "`"+name+"`")
	}
	for _, found := range regexp.MustCompile("`([A-Za-z]+[._-][A-Za-z._-]+)`").FindAllStringSubmatch(section, -1) {
		if !slices.Contains(names, found[1]) {
			t.Errorf("docs/formats.md: `%s`: expected one of %q", found[1], names)
		}
	}
	testkit.Contains(t, section,
		fmt.Sprintf("a\nstream of %d MiB", streamBytes>>20),
		fmt.Sprintf("expire after %.0f s and are renewed every %.0f s", keyAge.Seconds(), renewEvery.Seconds()))
	testkit.Equal(t, filesAge, 14*24*time.Hour, "age of files: docs/formats.md says two weeks")
}
