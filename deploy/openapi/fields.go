// What becomes of a field that is empty when Go writes the object? OpenAPI does not say, the types
// do: `kept` as it was given (a pointer), `shown` even when nobody gave it; all others go.
// Run by make.ts inside test/kube/engine, whose modules it uses.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	apps "k8s.io/api/apps/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	extensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var types = map[string]map[string]string{}

func fieldsOf(t reflect.Type, into map[string]string) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" {
			fieldsOf(field.Type, into)
			continue
		}
		walk(field.Type)
		isStruct := field.Type.Kind() == reflect.Struct && !strings.Contains(options, "omitzero")
		if field.Type.Kind() == reflect.Pointer && strings.Contains(options, "omitempty") {
			into[name] = "kept"
		} else if isStruct || !strings.Contains(options, "omitempty") {
			into[name] = "shown"
		}
	}
}

func walk(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		walk(t.Elem())
	case reflect.Struct:
		name := t.PkgPath() + "." + t.Name()
		if _, isKnown := types[name]; isKnown {
			return
		}
		types[name] = map[string]string{}
		if _, isScalar := reflect.PointerTo(t).MethodByName("UnmarshalJSON"); !isScalar {
			fieldsOf(t, types[name])
		}
	}
}

func main() {
	for _, object := range []any{
		core.Service{}, core.Node{}, core.Namespace{}, core.ConfigMap{}, core.Secret{}, core.Event{},
		core.ServiceAccount{}, core.Pod{}, discovery.EndpointSlice{}, coordination.Lease{},
		apps.Deployment{}, extensions.CustomResourceDefinition{}, meta.DeleteOptions{},
	} {
		walk(reflect.TypeOf(object))
	}
	if err := json.NewEncoder(os.Stdout).Encode(types); err != nil {
		panic(err)
	}
}
