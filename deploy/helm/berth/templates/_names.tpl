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
