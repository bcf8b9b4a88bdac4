# ExaBGP's own codec, asked line by line as main.go is: `read HEX` answers what it reads in a message,
# `make JSON` the bytes that it would send.
import json
import sys
from struct import pack, unpack

sys.path.insert(0, '/usr/lib/python3/dist-packages')

from exabgp.configuration.setup import environment  # noqa: E402

environment.setup('')

from exabgp.bgp.message import Open, Update  # noqa: E402

from exabgp.bgp.message.direction import IN, OUT, Direction  # noqa: E402
from exabgp.bgp.message.open.asn import ASN  # noqa: E402
from exabgp.bgp.message.open.capability import Negotiated  # noqa: E402
from exabgp.bgp.message.update.attribute import (  # noqa: E402
    MED, ASPath, Attributes, LocalPreference, NextHop, Origin)
from exabgp.bgp.message.update.attribute.community import (  # noqa: E402
    Communities, Community, LargeCommunities, LargeCommunity)
from exabgp.bgp.message.update.nlri.cidr import CIDR  # noqa: E402
from exabgp.bgp.message.update.nlri.inet import INET  # noqa: E402
from exabgp.protocol.family import AFI, SAFI  # noqa: E402
from exabgp.protocol.ip import IP  # noqa: E402


def agreed(short, inside):
    negotiated = Negotiated(None)
    negotiated.asn4 = not short
    negotiated.families = [(AFI.ipv4, SAFI.unicast), (AFI.ipv6, SAFI.unicast)]
    negotiated.msg_size = 65535
    negotiated.local_as = ASN(64512)
    negotiated.peer_as = ASN(64512 if inside else 64513)
    return negotiated


def add(all, one):
    if one not in all:
        all.append(one)


def read(raw):
    if raw[18] == 1:
        got = Open.unpack_message(raw[19:], Direction.IN, None)
        codes = sorted(int(code) for code in got.capabilities)
        asn = int(got.capabilities.get(65, got.asn))
        return {'asn': asn, 'hold': int(got.hold_time), 'id': str(got.router_id), 'codes': codes}
    got = Update.unpack_message(raw[19:], Direction.IN, agreed(False, False))
    told = {'announced': [], 'withdrawn': [], 'nextHops': [], 'origin': -1, 'asPath': []}
    told.update({'communities': [], 'large': [], 'short': False})
    for nlri in got.nlris:
        if nlri.EOR:
            continue
        is_here = nlri.action == IN.ANNOUNCED
        # With two next hops it has each prefix twice.
        add(told['announced' if is_here else 'withdrawn'], nlri.cidr.prefix())
        if is_here:
            add(told['nextHops'], str(nlri.nexthop))
    for code, one in got.attributes.items():
        if code == 1:
            told['origin'] = one.origin
        elif code == 2:
            told['asPath'] = [int(asn) for asn in one.as_seq]
        elif code == 4:
            told['med'] = one.med
        elif code == 5:
            told['localPref'] = one.localpref
        elif code == 8:
            told['communities'] = [unpack('!L', each.pack())[0] for each in one]
        elif code == 16:
            for each in one:
                if each.pack()[1] == 4:
                    told['bandwidth'] = unpack('!f', each.pack()[4:])[0]
        elif code == 32:
            told['large'] = [list(unpack('!LLL', each.pack())) for each in one]
    return told


def nlri(text, action, hop):
    address, length = text.split('/')
    afi = AFI.ipv6 if ':' in address else AFI.ipv4
    made = INET(afi, SAFI.unicast, action)
    made.cidr = CIDR(IP.pton(address), int(length))
    made.nexthop = NextHop(hop or ('::' if ':' in address else '0.0.0.0'))
    return made


def make(told):
    attributes = Attributes()
    if told['announced']:
        attributes.add(Origin(told['origin']))
        attributes.add(ASPath([ASN(asn) for asn in told['asPath']], []))
        if '.' in told['nextHops'][0]:
            attributes.add(NextHop(told['nextHops'][0]))
        if 'med' in told:
            attributes.add(MED(told['med']))
        if 'localPref' in told:
            attributes.add(LocalPreference(told['localPref']))
        if told['communities']:
            attributes.add(Communities([Community(pack('!L', one)) for one in told['communities']]))
        if told['large']:
            large = [LargeCommunity(pack('!LLL', *one)) for one in told['large']]
            attributes.add(LargeCommunities(large))
    nlris = [nlri(one, OUT.ANNOUNCE, told['nextHops'][0]) for one in told['announced']]
    nlris += [nlri(one, OUT.WITHDRAW, '') for one in told['withdrawn']]
    messages = list(Update(nlris, attributes).messages(agreed(told['short'], 'localPref' in told)))
    if len(messages) != 1:
        raise ValueError('%d messages' % len(messages))
    return messages[0].hex()


for line in sys.stdin:
    what, given = line.rstrip('\n').split(' ', 1)
    try:
        if what == 'read':
            print(json.dumps(read(bytes.fromhex(given))))
        else:
            print(make(json.loads(given)))
    except Exception as error:
        print('error %s: %s' % (type(error).__name__, error))
