{{- define "berth.selector" -}}
app.kubernetes.io/name: berth
app.kubernetes.io/component: controller
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
{{- if ne (int .Values.prometheus.metricsPort) 9120 }}
- --port={{ .Values.prometheus.metricsPort }}
{{- end }}
{{- end }}
