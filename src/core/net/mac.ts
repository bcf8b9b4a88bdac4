// What is a hardware address? Canonical text: lower case, colons; octets.ts makes it.

declare const canonical: unique symbol
export type Mac = string & { readonly [canonical]: true }
