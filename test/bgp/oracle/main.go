// GoBGP's own reading and writing of messages, for tests of ours: one line in, one line out.
// `read HEX` answers what it reads in a message, `make JSON` the bytes of an UPDATE.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"sort"
	"strings"

	"github.com/osrg/gobgp/v4/pkg/packet/bgp"
)

type update struct {
	Announced   []string    `json:"announced"`
	Withdrawn   []string    `json:"withdrawn"`
	NextHops    []string    `json:"nextHops"`
	Origin      int         `json:"origin"`
	AsPath      []uint32    `json:"asPath"`
	Med         *uint32     `json:"med,omitempty"`
	LocalPref   *uint32     `json:"localPref,omitempty"`
	Communities []uint32    `json:"communities"`
	Large       [][3]uint32 `json:"large"`
	Bandwidth   *float32    `json:"bandwidth,omitempty"`
	Short       bool        `json:"short"`
}

type open struct {
	Asn      uint32   `json:"asn"`
	Hold     uint16   `json:"hold"`
	ID       string   `json:"id"`
	Families []string `json:"families"`
	Codes    []int    `json:"codes"`
	Restart  *restart `json:"restart,omitempty"`
}

type restart struct {
	Seconds  uint16   `json:"seconds"`
	Flags    int      `json:"flags"`
	Forwards []string `json:"forwards"`
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		answer, err := answerTo(verb, rest)
		if err != nil {
			answer = fmt.Sprintf("error %v", err)
		}
		fmt.Fprintln(out, answer)
	}
}

func answerTo(verb, rest string) (string, error) {
	if verb == "make" {
		var given update
		if err := json.Unmarshal([]byte(rest), &given); err != nil {
			return "", err
		}
		return made(given)
	}
	short := verb == "read2"
	bytes, err := hex.DecodeString(rest)
	if err != nil {
		return "", err
	}
	message, err := bgp.ParseBGPMessage(bytes, &bgp.MarshallingOption{Use2ByteAS: short, ExtendedMessage: true})
	if err != nil {
		return "", err
	}
	var found any
	switch body := message.Body.(type) {
	case *bgp.BGPOpen:
		found = readOpen(body)
	case *bgp.BGPUpdate:
		found, err = readUpdate(body, short)
	default:
		err = fmt.Errorf("type %d", message.Header.Type)
	}
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(found)
	return string(text), err
}

func familyOf(family bgp.Family) string {
	switch family {
	case bgp.RF_IPv4_UC:
		return "IPv4"
	case bgp.RF_IPv6_UC:
		return "IPv6"
	}
	return family.String()
}

func readOpen(body *bgp.BGPOpen) open {
	found := open{Asn: uint32(body.MyAS), Hold: body.HoldTime, ID: body.ID.String(), Families: []string{}, Codes: []int{}}
	for _, parameter := range body.OptParams {
		capabilities, ok := parameter.(*bgp.OptionParameterCapability)
		if !ok {
			continue
		}
		for _, capability := range capabilities.Capability {
			found.Codes = append(found.Codes, int(capability.Code()))
			switch given := capability.(type) {
			case *bgp.CapMultiProtocol:
				found.Families = append(found.Families, familyOf(given.CapValue))
			case *bgp.CapFourOctetASNumber:
				found.Asn = given.CapValue
			case *bgp.CapGracefulRestart:
				forwards := []string{}
				for _, tuple := range given.Tuples {
					if tuple.Flags&0x80 != 0 {
						forwards = append(forwards, familyOf(bgp.NewFamily(tuple.AFI, tuple.SAFI)))
					}
				}
				found.Restart = &restart{Seconds: given.Time, Flags: int(given.Flags), Forwards: forwards}
			}
		}
	}
	sort.Ints(found.Codes)
	return found
}

func readUpdate(body *bgp.BGPUpdate, short bool) (update, error) {
	found := update{
		Announced: prefixes(body.NLRI), Withdrawn: prefixes(body.WithdrawnRoutes),
		NextHops: []string{}, AsPath: []uint32{}, Communities: []uint32{}, Large: [][3]uint32{},
		Origin: -1, Short: short,
	}
	for _, attribute := range body.PathAttributes {
		switch given := attribute.(type) {
		case *bgp.PathAttributeOrigin:
			found.Origin = int(given.Value)
		case *bgp.PathAttributeAsPath:
			for _, segment := range given.Value {
				found.AsPath = append(found.AsPath, segment.GetAS()...)
			}
		case *bgp.PathAttributeNextHop:
			found.NextHops = append(found.NextHops, given.Value.String())
		case *bgp.PathAttributeMultiExitDisc:
			found.Med = &given.Value
		case *bgp.PathAttributeLocalPref:
			found.LocalPref = &given.Value
		case *bgp.PathAttributeCommunities:
			found.Communities = append(found.Communities, given.Value...)
		case *bgp.PathAttributeLargeCommunities:
			for _, one := range given.Values {
				found.Large = append(found.Large, [3]uint32{one.ASN, one.LocalData1, one.LocalData2})
			}
		case *bgp.PathAttributeExtendedCommunities:
			for _, one := range given.Value {
				if width, ok := one.(*bgp.LinkBandwidthExtended); ok {
					found.Bandwidth = &width.Bandwidth
				}
			}
		case *bgp.PathAttributeMpReachNLRI:
			found.Announced = append(found.Announced, prefixes(given.Value)...)
			found.NextHops = append(found.NextHops, given.Nexthop.String())
			if given.LinkLocalNexthop.IsValid() && !given.LinkLocalNexthop.IsUnspecified() {
				found.NextHops = append(found.NextHops, given.LinkLocalNexthop.String())
			}
		case *bgp.PathAttributeMpUnreachNLRI:
			found.Withdrawn = append(found.Withdrawn, prefixes(given.Value)...)
		case *bgp.PathAttributeAs4Path:
			found.AsPath = []uint32{}
			for _, segment := range given.Value {
				found.AsPath = append(found.AsPath, segment.GetAS()...)
			}
		default:
			return found, fmt.Errorf("attribute %v", attribute.GetType())
		}
	}
	return found, nil
}

func prefixes(all []bgp.PathNLRI) []string {
	texts := []string{}
	for _, one := range all {
		texts = append(texts, one.NLRI.String())
	}
	return texts
}

func parsed(texts []string) ([]bgp.PathNLRI, error) {
	all := []bgp.PathNLRI{}
	for _, text := range texts {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, err
		}
		one, err := bgp.NewIPAddrPrefix(prefix)
		if err != nil {
			return nil, err
		}
		all = append(all, bgp.PathNLRI{NLRI: one})
	}
	return all, nil
}

func made(given update) (string, error) {
	announced, err := parsed(given.Announced)
	if err != nil {
		return "", err
	}
	withdrawn, err := parsed(given.Withdrawn)
	if err != nil {
		return "", err
	}
	isSix := strings.Contains(strings.Join(append(given.Announced, given.Withdrawn...), ""), ":")
	attributes := []bgp.PathAttributeInterface{}
	if len(announced) > 0 {
		attributes = append(attributes, bgp.NewPathAttributeOrigin(uint8(given.Origin)))
		var segment bgp.AsPathParamInterface = bgp.NewAs4PathParam(bgp.BGP_ASPATH_ATTR_TYPE_SEQ, given.AsPath)
		if given.Short {
			numbers := []uint16{}
			for _, asn := range given.AsPath {
				numbers = append(numbers, uint16(asn))
			}
			segment = bgp.NewAsPathParam(bgp.BGP_ASPATH_ATTR_TYPE_SEQ, numbers)
		}
		segments := []bgp.AsPathParamInterface{segment}
		if len(given.AsPath) == 0 {
			segments = nil
		}
		attributes = append(attributes, bgp.NewPathAttributeAsPath(segments))
		hops := []netip.Addr{}
		for _, text := range given.NextHops {
			hops = append(hops, netip.MustParseAddr(text))
		}
		if isSix {
			reach, err := bgp.NewPathAttributeMpReachNLRI(bgp.RF_IPv6_UC, announced, hops...)
			if err != nil {
				return "", err
			}
			attributes = append(attributes, reach)
			announced = nil
		} else {
			hop, err := bgp.NewPathAttributeNextHop(hops[0])
			if err != nil {
				return "", err
			}
			attributes = append(attributes, hop)
		}
		if given.Med != nil {
			attributes = append(attributes, bgp.NewPathAttributeMultiExitDisc(*given.Med))
		}
		if given.LocalPref != nil {
			attributes = append(attributes, bgp.NewPathAttributeLocalPref(*given.LocalPref))
		}
		if len(given.Communities) > 0 {
			attributes = append(attributes, bgp.NewPathAttributeCommunities(given.Communities))
		}
		if len(given.Large) > 0 {
			all := []*bgp.LargeCommunity{}
			for _, one := range given.Large {
				all = append(all, bgp.NewLargeCommunity(one[0], one[1], one[2]))
			}
			attributes = append(attributes, bgp.NewPathAttributeLargeCommunities(all))
		}
	}
	if isSix && len(withdrawn) > 0 {
		unreach, err := bgp.NewPathAttributeMpUnreachNLRI(bgp.RF_IPv6_UC, withdrawn)
		if err != nil {
			return "", err
		}
		attributes = append(attributes, unreach)
		withdrawn = nil
	}
	message := bgp.NewBGPUpdateMessage(withdrawn, attributes, announced)
	bytes, err := message.Serialize(&bgp.MarshallingOption{Use2ByteAS: given.Short, ExtendedMessage: true})
	return hex.EncodeToString(bytes), err
}
