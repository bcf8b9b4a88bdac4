// Is an Address named after its address? (R3.8)
import type { AddressView } from '../../model/address.ts'
import type { FieldError } from '../../model/admission.ts'
import { invalid } from '../../model/fieldError.ts'
import { nameOfAddress } from '../../net/addressName.ts'

export function checkAddress({ name, address }: AddressView): readonly FieldError[] {
  const expected = nameOfAddress(address)
  if (name === expected) return []
  return [invalid('metadata.name', name, `the Address of ${address} has the name ${expected}`)]
}
