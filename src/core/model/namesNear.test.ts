import { expect, test } from 'vitest'
import { namesNear } from './namesNear.ts'

test.each([
  { wanted: 'lna', names: ['wan', 'lan', 'public'], near: ['lan'] },
  { wanted: 'shop/wbe', names: ['shop/web', 'shop/api', 'other/x'], near: ['shop/web'] },
  {
    wanted: 'internalapi',
    names: ['openstack-internalapi', 'dual'],
    near: ['openstack-internalapi'],
  },
  { wanted: 'top', names: ['bgp', 'up'], near: [] },
  { wanted: 'dns', names: ['dsn', 'dbs2'], near: ['dsn'] },
  { wanted: 'tcsh', names: ['bash', 'zsh', 'fish'], near: [] },
  { wanted: 'x', names: ['far-away', 'y'], near: ['y'] },
  { wanted: 'lan', names: ['lan1', 'lan2', 'lan3', 'lan4'], near: ['lan1', 'lan2', 'lan3'] },
  { wanted: 'lan', names: [], near: [] },
  { wanted: 'as', names: ['password', 'passwordSecret', 'myASN'], near: [] },
  { wanted: 'to', names: ['autoAssign'], near: [] },
  { wanted: 'bfd', names: ['bfdProfile', 'peerPort'], near: ['bfdProfile'] },
  { wanted: 'port', names: ['peerPort', 'portion'], near: ['peerPort', 'portion'] },
  { wanted: 'asn', names: ['peerAsn', 'cleasns'], near: ['peerAsn'] },
  { wanted: 'web', names: ['shop/web', 'web-2', 'cobwebs'], near: ['shop/web', 'web-2'] },
  { wanted: 'mine/web', names: ['web'], near: ['web'] },
  {
    wanted: 'berth.dev/serve',
    names: ['berth.dev/serves', 'berth.dev/site'],
    near: ['berth.dev/serves'],
  },
])('close to $wanted: $near', ({ wanted, names, near }) => {
  expect(namesNear(wanted, names)).toEqual(near)
})
