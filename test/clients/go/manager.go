package main

import (
	"context"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/go-logr/logr"
)

const finalizer = "harbour.example.com/done"

// As controller-runtime's examples: a Secret is made for each ConfigMap, owned by it, with a finalizer.
type copier struct{ client.Client }

func (c copier) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	found := &core.ConfigMap{}
	if err := c.Get(ctx, request.NamespacedName, found); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if found.DeletionTimestamp != nil {
		if controllerutil.RemoveFinalizer(found, finalizer) {
			return reconcile.Result{}, c.Update(ctx, found)
		}
		return reconcile.Result{}, nil
	}
	if controllerutil.AddFinalizer(found, finalizer) {
		if err := c.Update(ctx, found); err != nil {
			return reconcile.Result{}, err
		}
	}
	copied := &core.Secret{ObjectMeta: meta.ObjectMeta{Namespace: found.Namespace, Name: found.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, c, copied, func() error {
		copied.StringData = found.Data
		return controllerutil.SetControllerReference(found, copied, c.Scheme())
	})
	return reconcile.Result{}, err
}

func controllerRuntime(ctx context.Context, config *rest.Config) error {
	log.SetLogger(logr.Discard())
	typed := kubernetes.NewForConfigOrDie(config)
	namespace, remove, err := newNamespace(ctx, typed)
	if err != nil {
		return err
	}
	defer remove()
	made, err := manager.New(config, manager.Options{
		Metrics:                       server.Options{BindAddress: "0"},
		Cache:                         cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		LeaderElection:                true,
		LeaderElectionID:              "copier",
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return err
	}
	err = builder.ControllerManagedBy(made).For(&core.ConfigMap{}).Owns(&core.Secret{}).Complete(copier{made.GetClient()})
	if err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- made.Start(running) }()
	defer func() {
		stop()
		<-ended
	}()
	maps, secrets := typed.CoreV1().ConfigMaps(namespace), typed.CoreV1().Secrets(namespace)
	if _, err := maps.Create(ctx, &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: "m"}, Data: map[string]string{"a": "1"}}, meta.CreateOptions{}); err != nil {
		return err
	}
	isCopied := func(ctx context.Context) (bool, error) {
		found, err := secrets.Get(ctx, "m", meta.GetOptions{})
		return err == nil && string(found.Data["a"]) == "1", nil
	}
	if err := until(ctx, "the Secret", isCopied); err != nil {
		return err
	}
	if err := secrets.Delete(ctx, "m", meta.DeleteOptions{}); err != nil {
		return err
	}
	if err := until(ctx, "the Secret, made again", isCopied); err != nil {
		return err
	}
	if err := maps.Delete(ctx, "m", meta.DeleteOptions{}); err != nil {
		return err
	}
	return until(ctx, "both gone, by finalizer and owner", func(ctx context.Context) (bool, error) {
		list, err := secrets.List(ctx, meta.ListOptions{})
		if err != nil {
			return false, err
		}
		if _, err := maps.Get(ctx, "m", meta.GetOptions{}); err == nil {
			return false, nil
		}
		return len(list.Items) == 0, nil
	})
}
