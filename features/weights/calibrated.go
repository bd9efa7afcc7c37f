package weights

import (
	"bytes"

	"kroo/features"
	"kroo/features/weightsfile"
)

// Calibrated is the content of a weights file with another calibration.
func Calibrated(path string, c *weightsfile.Calibration) ([]byte, error) {
	data, err := weightsfile.Read(path)
	if err != nil {
		return nil, err
	}
	if weightsfile.Holds(data) {
		data, err = weightsfile.Calibrated(data, c)
		return data, weightsfile.InFile(path, err)
	}
	w, err := features.ParseWeights(data, path)
	if err != nil {
		return nil, err
	}
	w.Calibration = c
	var b bytes.Buffer
	err = w.Write(&b)
	return b.Bytes(), err
}
