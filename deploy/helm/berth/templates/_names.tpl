{{- define "berth.podSecurity" -}}
pod-security.kubernetes.io/enforce: privileged
pod-security.kubernetes.io/audit: privileged
pod-security.kubernetes.io/warn: privileged
{{- end }}

{{- define "berth.selector" -}}
app.kubernetes.io/name: berth
app.kubernetes.io/component: controller
{{- end }}

{{- define "berth.speakerSelector" -}}
app.kubernetes.io/name: berth
app.kubernetes.io/component: speaker
{{- end }}

{{- define "berth.labels" -}}
app.kubernetes.io/name: berth
app.kubernetes.io/part-of: berth
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/instance: {{ .Release.Name }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* A number would be rendered as 2.0240101e+07. */}}
{{- define "berth.tag" -}}
{{- if kindIs "string" . }}{{ . }}{{ else }}{{ int64 . }}{{ end }}
{{- end }}

{{/* Of one of the programs: its own values over those of both. */}}
{{- define "berth.image" -}}
{{- $own := .own.image | default dict }}
{{- $image := mergeOverwrite (deepCopy .root.Values.image) $own }}
{{- if and $own.tag (not $own.digest) }}
{{- $_ := unset $image "digest" }}
{{- end }}
{{- if $image.digest }}
{{- $image.repository }}@{{ $image.digest }}
{{- else }}
{{- $image.repository }}:{{ include "berth.tag" ($image.tag | default .root.Chart.AppVersion) }}
{{- end }}
{{- end }}

{{- define "berth.pullPolicy" -}}
{{- (.own.image | default dict).pullPolicy | default .root.Values.image.pullPolicy }}
{{- end }}

{{/* Only what differs from what the program does anyway, one a line. */}}
{{- define "berth.arguments" -}}
{{- if not (has .Values.controller.webhookMode (list "enabled" "disabled" "onlywebhook")) }}
{{- fail "controller.webhookMode is enabled, disabled or onlywebhook" }}
{{- end }}
{{- with .Values.loadBalancerClass }}
- --lb-class={{ . }}
{{- end }}
{{- if ne .Values.controller.webhookMode "enabled" }}
- --webhook-mode={{ .Values.controller.webhookMode }}
{{- end }}
{{- if .Values.openstack.enabled }}
- --openstack={{ .Values.openstack.mode }}
{{- with .Values.openstack.infraOperatorNamespaces }}
- --infra-operator-namespaces={{ join "," . }}
{{- end }}
- --dns-hosts-image={{ include "berth.image" (dict "root" . "own" .Values.controller) }}
{{- with .Values.openstack.dnsmasqImage }}
- --dnsmasq-image={{ . }}
{{- end }}
{{- end }}
{{- if ne (int .Values.prometheus.metricsPort) 9120 }}
- --port={{ .Values.prometheus.metricsPort }}
{{- end }}
{{- end }}

{{- define "berth.speakerArguments" -}}
{{- with .Values.loadBalancerClass }}
- --lb-class={{ . }}
{{- end }}
{{- with .Values.speaker.members }}
{{- if ne (toString .mode) "pods" }}
- --members={{ .mode }}
{{- end }}
{{- if ne (int .port) 7956 }}
- --members-port={{ .port }}
{{- end }}
{{- end }}
{{- if .Values.speaker.ignoreExcludeLB }}
- --ignore-exclude-lb
{{- end }}
{{- if .Values.speaker.announceAnyway }}
- --announce-anyway
{{- end }}
{{- if ne (int .Values.speaker.drainWaitSeconds) 5 }}
- --drain-wait={{ .Values.speaker.drainWaitSeconds }}
{{- end }}
{{- with int .Values.speaker.bgpListenPort }}
- --bgp-listen={{ . }}
{{- end }}
{{- if ne .Values.speaker.bgpBackend "berth" }}
- --bgp-backend={{ .Values.speaker.bgpBackend }}
{{- with .Values.speaker.frrK8s.namespace }}
- --frrk8s-namespace={{ . }}
{{- end }}
{{- end }}
{{- with .Values.speaker.announceRefreshSeconds }}
- --announce-refresh={{ . }}
{{- end }}
{{- if .Values.speaker.excludeInterfaces }}
- --excluded-interfaces=/etc/berth/excluded/excludel2.yaml
{{- end }}
{{- if ne (int .Values.prometheus.speakerMetricsPort) 9130 }}
- --port={{ .Values.prometheus.speakerMetricsPort }}
{{- end }}
{{- end }}

{{- define "berth.secureMetrics" -}}
{{- $root := first . }}
{{- if $root.Values.prometheus.secureMetrics -}}
- name: BERTH_SECURE_METRICS
  value: "true"
{{- if last . }}
- name: BERTH_METRICS_CERT_DIR
  value: /etc/berth/metrics
{{- end }}
{{- end }}
{{- end }}

{{- define "berth.metricsEndpoint" -}}
{{- if .Values.prometheus.secureMetrics -}}
scheme: https
bearerTokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token
tlsConfig: {insecureSkipVerify: true}
{{- end }}
{{- end }}
