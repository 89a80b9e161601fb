package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// layers says what of this module a package may import: its own layer's entry
// is the one of the longest matching folder. A trailing slash takes in
// everything below, "!" takes a folder out again.
var layers = []struct {
	folder string
	may    []string
}{
	{".", []string{"api/", "models/", "wrappers/", "shaping/", "envs/"}},
	{"api", []string{"api/", "wrappers/", "shaping/", "envs/"}},
	{"api/pool", []string{"envs/"}},
	{"shaping/study", []string{"wrappers/", "shaping/", "envs/"}},
	{"wrappers", []string{"shaping/", "!shaping/study", "!shaping/llm", "envs/"}},
	{"shaping", []string{"shaping/", "!shaping/study"}},
	{"envs", []string{"envs/"}},
	{"models", nil},
}

// homes says which packages a foreign module may be imported in.
var homes = map[string][]string{
	"github.com/gofiber/fiber":          {"api"},
	"github.com/valyala/fasthttp":       {"api"},
	"github.com/vmihailenco/msgpack":    {"api"},
	"github.com/sashabaranov/go-openai": {"shaping/llm"},
	"golang.org/x/image":                {"envs/ui/paint"},
}

// kits are folders three deep below envs that are no worlds.
var kits = []string{"envs/ui/paint", "envs/ui/uitest"}

// goFile is one parsed source file that is not a test.
type goFile struct {
	folder string // from the top of the tree, with slashes; "." at the top
	name   string
	ast    *ast.File
}

func (f goFile) path() string { return path.Join(f.folder, f.name) }

func (f goFile) imports() []string {
	var out []string
	for _, i := range f.ast.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			panic(err) // it was parsed
		}
		out = append(out, p)
	}
	return out
}

// sources parses every Go file of the module, tests aside.
func sources(t *testing.T) []goFile {
	t.Helper()
	var out []goFile
	fset := token.NewFileSet()
	require.NoError(t, filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(base, ".") || base == "clients" || base == "testdata") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		out = append(out, goFile{folder: filepath.ToSlash(filepath.Dir(name)), name: base, ast: f})
		return nil
	}))
	require.Greater(t, len(out), 20, "the tree's sources were not found")
	return out
}

// under says whether folder is top or below it.
func under(folder, top string) bool { return folder == top || strings.HasPrefix(folder, top+"/") }

func TestImportsPointDownwards(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range sources(t) {
		layer := -1
		for i, l := range layers {
			if (l.folder == "." && f.folder == "." || under(f.folder, l.folder)) && (layer < 0 || len(l.folder) > len(layers[layer].folder)) {
				layer = i
			}
		}
		if !assert.GreaterOrEqual(t, layer, 0, "%s is in no layer: add its folder to layers", f.path()) {
			continue
		}
		seen[layers[layer].folder] = true
		for _, imported := range f.imports() {
			ours, ok := strings.CutPrefix(imported, "marlpit/")
			if ok {
				assert.True(t, allowed(ours, layers[layer].may), "%s imports %s, which %s may not", f.path(), imported, layers[layer].folder)
			}
		}
	}
	for _, l := range layers {
		assert.True(t, seen[l.folder], "no source in %s", l.folder)
	}
}

// allowed says whether a package of ours is in a list of layers.
func allowed(imported string, may []string) bool {
	ok := false
	for _, m := range may {
		if not, out := strings.CutPrefix(m, "!"); out && under(imported, not) {
			return false
		}
		ok = ok || under(imported, strings.TrimSuffix(m, "/"))
	}
	return ok
}

func TestForeignModulesStayAtHome(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range sources(t) {
		for _, imported := range f.imports() {
			for module, folders := range homes {
				if !under(imported, module) {
					continue
				}
				seen[module] = true
				assert.Contains(t, folders, f.folder, "%s imports %s", f.path(), imported)
			}
		}
	}
	for _, module := range []string{"github.com/gofiber/fiber", "github.com/vmihailenco/msgpack", "github.com/sashabaranov/go-openai"} {
		assert.True(t, seen[module], "nothing imports %s", module)
	}
}

func TestWorldsUseTheStandardLibraryOnly(t *testing.T) {
	for _, f := range sources(t) {
		if !under(f.folder, "envs") {
			continue
		}
		for _, imported := range f.imports() {
			first, _, _ := strings.Cut(imported, "/")
			if f.folder == "envs/ui/paint" && under(imported, "golang.org/x/image") {
				continue // pictures with words need a font
			}
			assert.True(t, first == "marlpit" || !strings.Contains(first, "."), "%s imports %s", f.path(), imported)
		}
	}
}

// A world is a folder three deep, such as envs/grid/twoswitch. It knows envs
// and the toolkits, and no other world, catalog or test kit.
func TestWorldsDoNotKnowEachOther(t *testing.T) {
	worlds := map[string]bool{}
	for _, f := range sources(t) {
		parts := strings.Split(f.folder, "/")
		if parts[0] != "envs" || len(parts) < 3 || parts[1] == "envtest" {
			continue
		}
		world := strings.Join(parts[:3], "/")
		if slices.Contains(kits, world) {
			continue
		}
		worlds[world] = true
		for _, imported := range f.imports() {
			ours, ok := strings.CutPrefix(imported, "marlpit/")
			if !ok || ours == "envs" || under(ours, world) || ours == "envs/ui/paint" {
				continue
			}
			assert.Len(t, strings.Split(ours, "/"), 2, "%s imports another world, %s", f.path(), imported)
			assert.NotContains(t, []string{"envs/catalog", "envs/envtest"}, ours, "%s imports %s", f.path(), imported)
		}
	}
	assert.NotEmpty(t, worlds)
	for _, f := range sources(t) {
		if f.folder == "envs/catalog" {
			for _, imported := range f.imports() {
				delete(worlds, strings.TrimPrefix(imported, "marlpit/"))
			}
		}
	}
	assert.Empty(t, slices.Sorted(maps.Keys(worlds)), "worlds that the catalogue does not list")
}

func TestEveryPackageHasOneComment(t *testing.T) {
	comments := map[string][]string{}
	for _, f := range sources(t) {
		found := comments[f.folder]
		if f.ast.Doc != nil {
			found = append(found, f.name)
		}
		comments[f.folder] = found
	}
	for folder, files := range comments {
		assert.Len(t, files, 1, "files of %s with a package comment", folder)
	}
}

func TestExportedNamesAreExplained(t *testing.T) {
	for _, f := range sources(t) {
		for _, d := range f.ast.Decls {
			for _, name := range unexplained(d) {
				t.Errorf("%s: %s has no comment", f.path(), name)
			}
		}
	}
}

// unexplained gives the exported names of a declaration without a comment. A
// comment on a group covers the constants and variables in it.
func unexplained(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
			return []string{d.Name.Name}
		}
	case *ast.GenDecl:
		var out []string
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && s.Doc == nil && d.Doc == nil {
					out = append(out, s.Name.Name)
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() && s.Doc == nil && s.Comment == nil && d.Doc == nil {
						out = append(out, n.Name)
					}
				}
			}
		}
		return out
	}
	return nil
}

// exportedReceiver is false for methods that only their own package, or an
// interface documented elsewhere, lets others see.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return false
		}
	}
}

func TestNothingIsReplaced(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	assert.NotRegexp(t, `(?m)^\s*replace\b|=>`, string(mod))
}

// routesOf finds the routes that api serves, as openapi.yaml writes them, such
// as "GET /v1/envs/{id}": calls of a router's Get, Post … with a literal path.
func routesOf(files []goFile) []string {
	param := regexp.MustCompile(`:(\w+)`)
	var out []string
	for _, f := range files {
		if f.folder != "api" {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) < 2 {
				return true
			}
			method, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"Get", "Put", "Post", "Delete", "Patch"}, method.Sel.Name) {
				return true
			}
			if lit, ok := call.Args[0].(*ast.BasicLit); ok && strings.HasPrefix(lit.Value, `"/`) {
				out = append(out, strings.ToUpper(method.Sel.Name)+" "+param.ReplaceAllString(strings.Trim(lit.Value, `"`), "{$1}"))
			}
			return true
		})
	}
	return out
}

func TestRoutesAreThoseOfTheContract(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromFile("openapi.yaml")
	require.NoError(t, err)
	require.NoError(t, doc.Validate(t.Context()))
	var promised []string
	for p, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			promised = append(promised, method+" "+p)
		}
	}
	served := routesOf(sources(t))
	require.Greater(t, len(served), 15)
	assert.ElementsMatch(t, promised, served)
}
