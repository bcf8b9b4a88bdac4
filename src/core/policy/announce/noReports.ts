// How do the commands say that no speaker runs yet, or that only MetalLB's speakers do?
export const noReports = 'no speaker of Berth has reported (there are no NodeInterfaces)'

/** What stands beside announcements then. */
export const wouldAnnounce = `${noReports}; this is what speakers on all nodes would announce`
