// What do programs in Go meet? Each check uses Kubernetes' own client packages as operators do; the
// first argument is a kubeconfig, the others name checks. A check that fails is told, and the rest go on.
package main

import (
	"context"
	"fmt"
	"os"
	"sort"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

type check func(ctx context.Context, config *rest.Config) error

var checks = map[string]check{
	"account":     defaultAccount,
	"controller":  controllerRuntime,
	"definition":  ownDefinition,
	"election":    leaderElection,
	"informers":   watchServices,
	"openapi":     openapiDocuments,
	"review":      reviewAsTable,
	"serverside":  serverSideApply,
	"unmodelled":  partialMetadata,
	"eventsource": eventRecorder,
}

func main() {
	if len(os.Args) < 2 {
		names := []string{}
		for name := range checks {
			names = append(names, name)
		}
		sort.Strings(names)
		fmt.Println(names)
		return
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	config.QPS, config.Burst = 200, 400
	failed := false
	for _, name := range os.Args[2:] {
		ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
		if err := guarded(ctx, checks[name], config); err != nil {
			fmt.Printf("%s: %v\n", name, err)
			failed = true
		} else {
			fmt.Printf("%s: ok\n", name)
		}
		cancel()
	}
	if failed {
		os.Exit(1)
	}
}

func guarded(ctx context.Context, run check, config *rest.Config) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic: %v", panicked)
		}
	}()
	if run == nil {
		return fmt.Errorf("no such check")
	}
	return run(ctx, config)
}
