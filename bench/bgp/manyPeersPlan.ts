// Who takes part where one speaker has many peers? One BIRD, which tells them by the source of each.
export const peersCount = 50
export const holdSeconds = 9
export const sourceOf = (at: number): string => `10.99.0.${at + 100}`
