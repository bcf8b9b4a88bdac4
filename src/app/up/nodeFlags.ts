// With which flags does Node run the embedded API? Small, as it runs for months.

/**
 * With a limit Node collects garbage sooner. 100,000 objects take 50 MB of the heap; their bytes
 * are outside of it.
 */
export const nodeFlags = ['--max-semi-space-size=2', '--max-old-space-size=1024']
