// On which terms does anything speak TLS with us? 1.2 or later, and only suites that authenticate
// what they encrypt and whose keys are not worth stealing later (RFC 9325).

const suites = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
]

/** Of every context: one that is replaced later has to say it again. */
export const tlsTerms = { minVersion: 'TLSv1.2', ciphers: suites.join(':') } as const
