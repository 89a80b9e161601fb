package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain lets the test binary be the program, for tests of whole processes.
func TestMain(m *testing.M) {
	if os.Getenv("MARLPIT_TEST_RUN") != "" {
		os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// running is the program, running.
type running struct {
	*exec.Cmd
	stdin  io.WriteCloser
	ready  ready
	stderr *bytes.Buffer
	done   chan error
}

func start(t *testing.T, args ...string) *running {
	t.Helper()
	p := &running{Cmd: exec.Command(os.Args[0], args...), stderr: &bytes.Buffer{}, done: make(chan error, 1)}
	p.Env = append(os.Environ(), "MARLPIT_TEST_RUN=1")
	p.Stderr = p.stderr
	var err error
	p.stdin, err = p.StdinPipe()
	require.NoError(t, err)
	out, err := p.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.Start())
	t.Cleanup(func() { _ = p.Process.Kill() })
	line, err := bufio.NewReader(out).ReadBytes('\n')
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(line, &p.ready))
	go func() { p.done <- p.Wait() }()
	return p
}

// ends waits for the program's end.
func (p *running) ends(t *testing.T) error {
	t.Helper()
	select {
	case err := <-p.done:
		return err
	case <-time.After(10 * time.Second):
		t.Fatal("the program didn't end: " + p.stderr.String())
		return nil
	}
}

func socketFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mp") // t.TempDir is too long for a socket
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func unixClient(path string) *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return net.Dial("unix", path)
	}}}
}

func TestServeOnBothAndEndWithStandardInput(t *testing.T) {
	dir := socketFolder(t)
	sock, file := filepath.Join(dir, "s"), filepath.Join(dir, "ready")
	p := start(t, "serve", "--listen", "127.0.0.1:0", "--unix", sock, "--exit-with-stdin", "--ready-file", file, "--test-worlds")
	assert.Equal(t, sock, p.ready.Unix)
	assert.Equal(t, 1, p.ready.Wire)
	assert.Equal(t, version, p.ready.Version)
	var same ready
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &same))
	assert.Equal(t, p.ready, same)
	if runtime.GOOS != "windows" {
		info, err := os.Stat(sock)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
	for _, c := range []struct {
		client *http.Client
		base   string
	}{{unixClient(sock), "http://localhost"}, {http.DefaultClient, "http://" + p.ready.TCP}} {
		res, err := c.client.Get(c.base + "/healthz")
		require.NoError(t, err)
		assert.Equal(t, 200, res.StatusCode)
		_ = res.Body.Close()
	}
	require.NoError(t, p.stdin.Close())
	require.NoError(t, p.ends(t), "ends in order, although clients hold connections")
	_, err = os.Stat(sock)
	assert.ErrorIs(t, err, os.ErrNotExist, "the socket is removed")
	assert.Contains(t, p.stderr.String(), "marlpit: listening on http://127.0.0.1:")
}

func TestServeEndsOnASignalAndWhenIdle(t *testing.T) {
	p := start(t, "serve", "--listen", "127.0.0.1:0")
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	require.NoError(t, p.ends(t))
	p = start(t, "serve", "--listen", "127.0.0.1:0", "--exit-when-idle", "200ms")
	require.NoError(t, p.ends(t))
}

func TestAStaleSocketIsReplacedALiveOneIsNot(t *testing.T) {
	dir := socketFolder(t)
	sock := filepath.Join(dir, "s")
	p := start(t, "serve", "--listen", "", "--unix", sock)
	assert.Empty(t, p.ready.TCP)
	_, err := listenUnix(sock)
	assert.ErrorContains(t, err, "somebody listens")
	require.NoError(t, p.Process.Kill())
	_ = p.ends(t)
	_, err = os.Stat(sock)
	require.NoError(t, err, "a killed server leaves its socket")
	l, err := listenUnix(sock)
	require.NoError(t, err)
	require.NoError(t, l.Close())
	plain := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(plain, []byte("x"), 0o600))
	_, err = listenUnix(plain)
	assert.ErrorContains(t, err, "no socket")
}

func TestWrongCallsExitWith2FailuresWith1(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"serve --listen 0.0.0.0:0", 2, "token"},
		{"serve --listen :0", 2, "token"},
		{"serve --listen nonsense", 2, "HOST:PORT"},
		{"serve --listen=", 2, "--listen or --unix"},
		{"serve --idle-timeout soon", 2, "idle-timeout"},
		{"serve --log-level loud", 2, "log-level"},
		{"serve --nothing", 2, "--nothing"},
		{"dance", 2, "dance"},
		{"envs none-v1", 2, "unknown environment"},
		{"serve --listen 127.0.0.1:0 --credit go.mod", 1, "go.mod"},
		{"serve --listen= --unix /nonexistent/folder/s", 1, "/nonexistent"},
		{"version", 0, ""},
		{"version --json", 0, ""},
		{"envs --json", 0, ""},
		{"--help", 0, ""},
		{"serve --help", 0, ""},
	} {
		var out, errs bytes.Buffer
		assert.Equal(t, c.code, run(strings.Fields(c.args), &out, &errs), "%s: %s", c.args, errs.String())
		assert.Contains(t, errs.String(), c.says, c.args)
		if c.code == 0 {
			assert.NotEmpty(t, out.String())
		}
		if strings.HasSuffix(c.args, "--json") {
			assert.True(t, json.Valid(out.Bytes()), out.String())
		}
	}
}

func TestFlagsComeFromTheEnvironmentToo(t *testing.T) {
	t.Setenv("MARLPIT_LISTEN", "0.0.0.0:0")
	var out, errs bytes.Buffer
	assert.Equal(t, 2, run([]string{"serve"}, &out, &errs))
	assert.Contains(t, errs.String(), "needs a token")
	t.Setenv("MARLPIT_TOKEN", "s3cret")
	t.Setenv("MARLPIT_UNIX", "/nonexistent/s")
	errs.Reset()
	assert.Equal(t, 1, run([]string{"serve"}, &out, &errs))
	assert.NotContains(t, errs.String(), "s3cret")
}

func TestHelpDoesNotShowTheToken(t *testing.T) {
	t.Setenv("MARLPIT_TOKEN", "s3cret")
	var out, errs bytes.Buffer
	assert.Equal(t, 0, run([]string{"serve", "--help"}, &out, &errs))
	assert.NotContains(t, out.String(), "s3cret")
	assert.Contains(t, out.String(), "MARLPIT_TOKEN")
}
