module berth.dev/test/oracle

go 1.26.0

require github.com/osrg/gobgp/v4 v4.8.0
