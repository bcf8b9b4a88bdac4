package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	authorization "k8s.io/api/authorization/v1"
	core "k8s.io/api/core/v1"
	extensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	extensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/wait"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcore "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/openapi3"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
	"k8s.io/kube-openapi/pkg/spec3"
	models "k8s.io/kube-openapi/pkg/util/proto"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

const protobuf = "application/vnd.kubernetes.protobuf"

func until(ctx context.Context, what string, done func(context.Context) (bool, error)) error {
	err := wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, 15*time.Second, true, done)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// As operators that install their own definitions: client-go sends them as protobuf.
func ownDefinition(ctx context.Context, config *rest.Config) error {
	sent := rest.CopyConfig(config)
	sent.ContentType = protobuf
	client, err := extensionsclient.NewForConfig(sent)
	if err != nil {
		return err
	}
	definitions := client.ApiextensionsV1().CustomResourceDefinitions()
	const name = "boats.harbour.example.com"
	most, keep := 9.5, true
	object := extensions.JSONSchemaProps{Type: "object", Required: []string{"length"}, Properties: map[string]extensions.JSONSchemaProps{
		"length":  {Type: "number", Maximum: &most},
		"flag":    {Type: "string", Enum: []extensions.JSON{{Raw: []byte(`"red"`)}, {Raw: []byte(`"blue"`)}}, Default: &extensions.JSON{Raw: []byte(`"red"`)}},
		"crew":    {Type: "array", Items: &extensions.JSONSchemaPropsOrArray{Schema: &extensions.JSONSchemaProps{Type: "string"}}},
		"cargo":   {Type: "object", AdditionalProperties: &extensions.JSONSchemaPropsOrBool{Allows: true, Schema: &extensions.JSONSchemaProps{Type: "integer"}}},
		"anyhow":  {Type: "object", XPreserveUnknownFields: &keep},
		"portish": {XIntOrString: true},
	}, XValidations: extensions.ValidationRules{{Rule: "self.length > 0.0", Message: "a boat is longer than nothing"}}}
	crd := &extensions.CustomResourceDefinition{
		ObjectMeta: meta.ObjectMeta{Name: name},
		Spec: extensions.CustomResourceDefinitionSpec{
			Group: "harbour.example.com", Scope: extensions.NamespaceScoped,
			Names: extensions.CustomResourceDefinitionNames{Plural: "boats", Singular: "boat", Kind: "Boat", ListKind: "BoatList", ShortNames: []string{"bt"}},
			Versions: []extensions.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema: &extensions.CustomResourceValidation{OpenAPIV3Schema: &extensions.JSONSchemaProps{Type: "object", Properties: map[string]extensions.JSONSchemaProps{
					"spec": object, "status": {Type: "object", XPreserveUnknownFields: &keep}}}},
				Subresources:             &extensions.CustomResourceSubresources{Status: &extensions.CustomResourceSubresourceStatus{}},
				AdditionalPrinterColumns: []extensions.CustomResourceColumnDefinition{{Name: "Length", Type: "number", JSONPath: ".spec.length"}},
			}},
		},
	}
	if _, err := definitions.Create(ctx, crd, meta.CreateOptions{}); err != nil {
		return fmt.Errorf("create: %w", err)
	}
	defer definitions.Delete(context.Background(), name, meta.DeleteOptions{})
	if err := until(ctx, "established", func(ctx context.Context) (bool, error) {
		found, err := definitions.Get(ctx, name, meta.GetOptions{})
		if err != nil {
			return false, err
		}
		for _, one := range found.Status.Conditions {
			if one.Type == extensions.Established && one.Status == extensions.ConditionTrue {
				return true, nil
			}
		}
		return false, nil
	}); err != nil {
		return err
	}
	found, err := definitions.Get(ctx, name, meta.GetOptions{})
	if err != nil {
		return err
	}
	found.Spec.Names.Categories = []string{"all"}
	if found, err = definitions.Update(ctx, found, meta.UpdateOptions{}); err != nil {
		return fmt.Errorf("update: %w", err)
	}
	read := found.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
	if *read.Properties["length"].Maximum != most || len(read.XValidations) != 1 || len(read.Properties["flag"].Enum) != 2 {
		return fmt.Errorf("the schema came back as %+v", read)
	}
	boats := dynamic.NewForConfigOrDie(config).Resource(schema.GroupVersionResource{Group: "harbour.example.com", Version: "v1", Resource: "boats"}).Namespace("default")
	boat := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "harbour.example.com/v1", "kind": "Boat",
		"metadata": map[string]any{"name": "one"}, "spec": map[string]any{"length": 7.5, "crew": []any{"a"}, "cargo": map[string]any{"x": int64(1)}, "stray": "x"}}}
	made, err := boats.Create(ctx, boat, meta.CreateOptions{})
	if err != nil {
		return fmt.Errorf("create a boat: %w", err)
	}
	if flag, _, _ := unstructured.NestedString(made.Object, "spec", "flag"); flag != "red" {
		return fmt.Errorf("the default is %q", flag)
	}
	if _, isThere, _ := unstructured.NestedString(made.Object, "spec", "stray"); isThere {
		return fmt.Errorf("an unknown field is kept")
	}
	boat.SetName("two")
	_ = unstructured.SetNestedField(boat.Object, 10.0, "spec", "length")
	if _, err := boats.Create(ctx, boat, meta.CreateOptions{}); !errors.IsInvalid(err) {
		return fmt.Errorf("a boat that is too long: %v", err)
	}
	return nil
}

func newNamespace(ctx context.Context, client kubernetes.Interface) (string, func(), error) {
	made, err := client.CoreV1().Namespaces().Create(ctx, &core.Namespace{ObjectMeta: meta.ObjectMeta{GenerateName: "go-"}}, meta.CreateOptions{})
	if err != nil {
		return "", func() {}, err
	}
	return made.Name, func() {
		_ = client.CoreV1().Namespaces().Delete(context.Background(), made.Name, meta.DeleteOptions{})
	}, nil
}

// Many programs wait for it before they make a Pod.
func defaultAccount(ctx context.Context, config *rest.Config) error {
	client := kubernetes.NewForConfigOrDie(config)
	namespace, remove, err := newNamespace(ctx, client)
	if err != nil {
		return err
	}
	defer remove()
	accounts := client.CoreV1().ServiceAccounts(namespace)
	isThere := func(ctx context.Context) (bool, error) {
		_, err := accounts.Get(ctx, "default", meta.GetOptions{})
		return err == nil, nil
	}
	if err := until(ctx, "the account default", isThere); err != nil {
		return err
	}
	if err := accounts.Delete(ctx, "default", meta.DeleteOptions{}); err != nil {
		return err
	}
	return until(ctx, "the account default, made again", isThere)
}

// A review has no table: only who takes nothing else is refused.
func reviewAsTable(ctx context.Context, config *rest.Config) error {
	client := kubernetes.NewForConfigOrDie(config).AuthorizationV1().RESTClient()
	review := &authorization.SelfSubjectAccessReview{Spec: authorization.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorization.ResourceAttributes{Verb: "list", Resource: "services"}}}
	const table = "application/json;as=Table;v=v1;g=meta.k8s.io"
	code := 0
	client.Post().Resource("selfsubjectaccessreviews").SetHeader("Accept", table).Body(review).Do(ctx).StatusCode(&code)
	if code != http.StatusNotAcceptable {
		return fmt.Errorf("a table alone is answered with %d", code)
	}
	answer := &authorization.SelfSubjectAccessReview{}
	err := client.Post().Resource("selfsubjectaccessreviews").SetHeader("Accept", table+",application/json").Body(review).Do(ctx).Into(answer)
	if err != nil || !answer.Status.Allowed {
		return fmt.Errorf("a table or JSON: %v %+v", err, answer.Status)
	}
	return nil
}

// Every document, with Kubernetes' own types, up to the parser that server-side apply is made of.
func openapiDocuments(ctx context.Context, config *rest.Config) error {
	client := discovery.NewDiscoveryClientForConfigOrDie(config)
	root := openapi3.NewRoot(client.OpenAPIV3())
	versions, err := root.GroupVersions()
	if err != nil {
		return err
	}
	if len(versions) == 0 {
		return fmt.Errorf("there is no document")
	}
	for _, version := range versions {
		document, err := root.GVSpec(version)
		if err != nil {
			return fmt.Errorf("%s: %w", version, err)
		}
		if document.Info == nil || document.Info.Title == "" {
			return fmt.Errorf("%s: the document has no title", version)
		}
		if document.Paths == nil || len(document.Paths.Paths) == 0 {
			return fmt.Errorf("%s: no paths", version)
		}
		for path, item := range document.Paths.Paths {
			for _, operation := range []*spec3.Operation{item.Get, item.Put, item.Post, item.Patch, item.Delete} {
				if err := readOperation(operation); err != nil {
					return fmt.Errorf("%s: %s: %w", version, path, err)
				}
			}
		}
		if document.Components == nil {
			return fmt.Errorf("%s: no components", version)
		}
		if _, err := json.Marshal(document); err != nil {
			return fmt.Errorf("%s: written again: %w", version, err)
		}
		schemas := map[string]*spec.Schema{}
		for name, one := range document.Components.Schemas {
			schemas[name] = one
		}
		if _, err := managedfields.NewTypeConverter(schemas, false); err != nil {
			return fmt.Errorf("%s: types: %w", version, err)
		}
	}
	older, err := client.OpenAPISchema()
	if err != nil {
		return fmt.Errorf("version 2: %w", err)
	}
	if _, err := models.NewOpenAPIData(older); err != nil {
		return fmt.Errorf("version 2: %w", err)
	}
	if _, _, err := client.ServerGroupsAndResources(); err != nil {
		return fmt.Errorf("discovery: %w", err)
	}
	return nil
}

func readOperation(operation *spec3.Operation) error {
	if operation == nil {
		return nil
	}
	for _, parameter := range operation.Parameters {
		if parameter.Schema == nil || len(parameter.Schema.Type) != 1 {
			return fmt.Errorf("parameter %s has no type", parameter.Name)
		}
	}
	if operation.Responses == nil || operation.OperationId == "" {
		return fmt.Errorf("no responses, or no id")
	}
	for code, response := range operation.Responses.StatusCodeResponses {
		if content := response.Content["application/json"]; content == nil || content.Schema == nil {
			return fmt.Errorf("%d is no JSON", code)
		}
	}
	return nil
}

func typedOf(ctx context.Context, config *rest.Config) (kubernetes.Interface, error) {
	sent := rest.CopyConfig(config)
	sent.ContentType, sent.AcceptContentTypes = protobuf, protobuf+",application/json"
	return kubernetes.NewForConfig(sent)
}

// As client-go's workqueue example: what is written is seen by an informer, in order.
func watchServices(ctx context.Context, config *rest.Config) error {
	client, err := typedOf(ctx, config)
	if err != nil {
		return err
	}
	namespace, remove, err := newNamespace(ctx, client)
	if err != nil {
		return err
	}
	defer remove()
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	services := factory.Core().V1().Services()
	seen := make(chan string, 100)
	_, err = services.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { seen <- "added " + object.(*core.Service).Name },
		UpdateFunc: func(_, object any) { seen <- "updated " + object.(*core.Service).Labels["v"] },
		DeleteFunc: func(any) { seen <- "deleted" },
	})
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), services.Informer().HasSynced) {
		return fmt.Errorf("it does not sync")
	}
	made, err := client.CoreV1().Services(namespace).Create(ctx, &core.Service{
		ObjectMeta: meta.ObjectMeta{Name: "web"}, Spec: core.ServiceSpec{Ports: []core.ServicePort{{Port: 80}}}}, meta.CreateOptions{})
	if err != nil {
		return err
	}
	made.Labels = map[string]string{"v": "2"}
	if _, err := client.CoreV1().Services(namespace).Update(ctx, made, meta.UpdateOptions{}); err != nil {
		return err
	}
	if err := client.CoreV1().Services(namespace).Delete(ctx, "web", meta.DeleteOptions{}); err != nil {
		return err
	}
	for _, wanted := range []string{"added web", "updated 2", "deleted"} {
		select {
		case got := <-seen:
			if got != wanted {
				return fmt.Errorf("%s came before %s", got, wanted)
			}
		case <-ctx.Done():
			return fmt.Errorf("%s did not come", wanted)
		}
	}
	return nil
}

func leaderElection(ctx context.Context, config *rest.Config) error {
	client := kubernetes.NewForConfigOrDie(config)
	namespace, remove, err := newNamespace(ctx, client)
	if err != nil {
		return err
	}
	defer remove()
	led := make(chan string, 2)
	run := func(ctx context.Context, who string) {
		lock := &resourcelock.LeaseLock{LeaseMeta: meta.ObjectMeta{Namespace: namespace, Name: "one"}, Client: client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: who}}
		leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{Lock: lock, ReleaseOnCancel: true,
			LeaseDuration: 3 * time.Second, RenewDeadline: 2 * time.Second, RetryPeriod: 200 * time.Millisecond,
			Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) { led <- who }, OnStoppedLeading: func() {}}})
	}
	first, stop := context.WithCancel(ctx)
	go run(first, "a")
	if who := <-led; who != "a" {
		return fmt.Errorf("%s leads", who)
	}
	second, end := context.WithCancel(ctx)
	defer end()
	go run(second, "b")
	stop()
	select {
	case who := <-led:
		if who != "b" {
			return fmt.Errorf("%s leads after a", who)
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("nobody leads after a")
	}
}

func serverSideApply(ctx context.Context, config *rest.Config) error {
	client := kubernetes.NewForConfigOrDie(config)
	namespace, remove, err := newNamespace(ctx, client)
	if err != nil {
		return err
	}
	defer remove()
	maps := client.CoreV1().ConfigMaps(namespace)
	apply := func(manager, value string, force bool) error {
		_, err := maps.Apply(ctx, coreapply.ConfigMap("m", namespace).WithData(map[string]string{"k": value}), meta.ApplyOptions{FieldManager: manager, Force: force})
		return err
	}
	if err := apply("one", "1", false); err != nil {
		return err
	}
	if err := apply("two", "2", false); !errors.IsConflict(err) {
		return fmt.Errorf("two managers: %v", err)
	}
	if err := apply("two", "2", true); err != nil {
		return err
	}
	found, err := maps.Get(ctx, "m", meta.GetOptions{})
	if err != nil {
		return err
	}
	extracted, err := coreapply.ExtractConfigMap(found, "two")
	if err != nil || extracted.Data["k"] != "2" {
		return fmt.Errorf("extracted %v, %v", extracted, err)
	}
	return nil
}

// Programs that only need names and labels, such as garbage collectors.
func partialMetadata(ctx context.Context, config *rest.Config) error {
	client, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	list, err := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).List(ctx, meta.ListOptions{Limit: 2})
	if err != nil || len(list.Items) != 2 || list.Items[0].Name == "" {
		return fmt.Errorf("%v, %v", list, err)
	}
	watching, err := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).Watch(ctx, meta.ListOptions{})
	if err != nil {
		return err
	}
	defer watching.Stop()
	event := <-watching.ResultChan()
	if one, isRight := event.Object.(*meta.PartialObjectMetadata); !isRight || one.Name == "" {
		return fmt.Errorf("watched %T", event.Object)
	}
	return nil
}

func eventRecorder(ctx context.Context, config *rest.Config) error {
	client := kubernetes.NewForConfigOrDie(config)
	namespace, remove, err := newNamespace(ctx, client)
	if err != nil {
		return err
	}
	defer remove()
	made, err := client.CoreV1().ConfigMaps(namespace).Create(ctx, &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: "m"}}, meta.CreateOptions{})
	if err != nil {
		return err
	}
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcore.EventSinkImpl{Interface: client.CoreV1().Events(namespace)})
	recorder := broadcaster.NewRecorder(scheme.Scheme, core.EventSource{Component: "go"})
	for range 3 {
		recorder.Event(made, core.EventTypeNormal, "Tried", "as operators say things")
	}
	return until(ctx, "one Event that counts three", func(ctx context.Context) (bool, error) {
		list, err := client.CoreV1().Events(namespace).List(ctx, meta.ListOptions{FieldSelector: "involvedObject.name=m"})
		return err == nil && len(list.Items) == 1 && list.Items[0].Count == 3 && strings.HasPrefix(list.Items[0].Name, "m."), err
	})
}
