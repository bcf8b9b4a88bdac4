// What is a ReleasedPool? A note that the pool of that name is gone for good, so that what it gave
// is taken back (R3.14).

export type ReleasedPool = { readonly kind: 'ReleasedPool'; readonly name: string }
