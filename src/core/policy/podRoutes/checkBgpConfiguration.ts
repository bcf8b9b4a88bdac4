// May a BGPConfiguration be as proposed? Only what can never work is refused (R16.8).
import type { FieldError } from '../../model/admission.ts'
import { invalid } from '../../model/fieldError.ts'
import { isDnsLabel } from '../../model/names.ts'
import type { BgpConfiguration } from '../../model/podRoutes/podRoutes.ts'

export function checkBgpConfiguration(configuration: BgpConfiguration): readonly FieldError[] {
  const { frrNamespace, selectors } = configuration
  const path = 'spec.frrConfigurationNamespace'
  const place = isDnsLabel(frrNamespace)
    ? []
    : [invalid(path, frrNamespace, 'must be the name of a namespace')]
  const nameless = selectors.flatMap(({ node }, at) =>
    node === ''
      ? [{ path: `spec.frrNodeConfigurationSelector[${at}].nodeName`, message: 'Required value' }]
      : [],
  )
  return [...place, ...nameless]
}
