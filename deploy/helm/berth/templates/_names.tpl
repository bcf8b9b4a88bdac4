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
- --dns-hosts-image={{ .Values.controller.image.repository }}:{{ .Values.controller.image.tag | default .Chart.AppVersion }}
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
