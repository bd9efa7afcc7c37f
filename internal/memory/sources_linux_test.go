package memory

import (
	"math"
	"path/filepath"
	"testing"

	"kroo/internal/testkit"
)

func TestTightestControlGroupCounts(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		free  int64
		known bool
	}{
		"limits": {map[string]string{
			"proc/self/cgroup":                     "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max":         "max\n",
			"sys/fs/cgroup/a/b/memory.current":     "500\n",
			"sys/fs/cgroup/a/memory.max":           "1000\n",
			"sys/fs/cgroup/a/memory.current":       "700\n",
			"sys/fs/cgroup/a/memory.stat":          "anon 3\ninactive_file 50\n",
			"sys/fs/cgroup/memory.max":             "9000\n",
			"sys/fs/cgroup/memory.current":         "100\n",
			"sys/fs/cgroup/a/unrelated/memory.max": "1\n",
		}, 350, true},
		"no limit": {map[string]string{
			"proc/self/cgroup":             "0::/\n",
			"sys/fs/cgroup/memory.current": "5\n",
		}, 0, false},
		"damaged": {map[string]string{"proc/self/cgroup": "0\n::::\nx:memory:../..\n"}, 0, false},
		"none":    {nil, 0, false},
	} {
		root := t.TempDir()
		for path, text := range tt.files {
			testkit.Write(t, filepath.Join(root, path), text)
		}
		if free, known := controlGroups(root); free != tt.free || known != tt.known {
			t.Errorf("%s: %d, %t: want %d, %t", name, free, known, tt.free, tt.known)
		}
	}
}

func TestCheckRefusesMoreThanAnyMachineHas(t *testing.T) {
	testkit.ErrorContains(t, Check("all", math.MaxInt64), "is free")
}
