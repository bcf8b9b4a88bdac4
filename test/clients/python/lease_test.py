"""Who leads? The lock of the library's own leader election: a Lease that exactly one can take."""

from case import ApiCase
from kubernetes.leaderelection.leaderelectionrecord import LeaderElectionRecord
from kubernetes.leaderelection.resourcelock.leaselock import LeaseLock

AT = '2026-01-02 03:04:05.678901'


class Leading(ApiCase):
    def lock(self, who):
        return LeaseLock('lock', self.namespace, who)

    def record(self, who):
        return LeaderElectionRecord(who, '15', AT, AT)

    def test_one_creates_it(self):
        made = [
            self.lock(who).create('lock', self.namespace, self.record(who)) for who in ('a', 'b')
        ]
        self.assertEqual(made, [True, False])
        found, record = self.lock('b').get('lock', self.namespace)
        self.assertTrue(found)
        self.assertEqual((record.holder_identity, record.renew_time), ('a', AT))

    def test_one_renews_it(self):
        first, second = self.lock('a'), self.lock('b')
        first.create('lock', self.namespace, self.record('a'))
        for lock in (first, second):
            lock.get('lock', self.namespace)
        taken = [
            lock.update('lock', self.namespace, self.record(lock.identity))
            for lock in (second, first)
        ]
        self.assertEqual(taken, [True, False])
        self.assertEqual(self.lock('c').get('lock', self.namespace)[1].holder_identity, 'b')
