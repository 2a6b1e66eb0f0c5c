/**
 * Solves the puzzle that the gateway sets where strangers have tried an account often: a suffix is looked for whose SHA-256
 * begins with so many zero bits. In slices, so that the page goes on; WebCrypto is not there on pages over plain HTTP.
 */
const sliceMs = 40
const between = 1000

/** `X-Challenge-Solution` for an `X-Challenge`. */
export async function solved(challenge: string, signal?: AbortSignal): Promise<string> {
  const { sha256 } = await import('@noble/hashes/sha2.js')
  const bits = Number(challenge.split('.', 1)[0])
  const prefix = new TextEncoder().encode(`${challenge}.`)
  const text = new Uint8Array(prefix.length + suffixLength)
  text.set(prefix)
  for (let tried = 0; ; ) {
    const end = Date.now() + sliceMs
    do {
      for (const last = tried + between; tried < last; tried += 1) {
        write(tried, text, prefix.length)
        if (zeroBits(sha256(text)) >= bits) return new TextDecoder().decode(text)
      }
    } while (Date.now() < end)
    signal?.throwIfAborted()
    await new Promise((resolve) => setTimeout(resolve))
  }
}

const suffixLength = 8
const firstLetter = 97

/** Eight letters for 32 bits. */
function write(number: number, text: Uint8Array, at: number): void {
  for (let place = 0; place < suffixLength; place += 1) {
    text[at + place] = firstLetter + ((number >>> (4 * place)) & 15)
  }
}

function zeroBits([first = 0, second = 0, third = 0, fourth = 0]: Uint8Array): number {
  return Math.clz32((first << 24) | (second << 16) | (third << 8) | fourth)
}
