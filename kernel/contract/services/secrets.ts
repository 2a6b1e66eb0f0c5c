/** Secrets at rest. */

/** AES-256-GCM envelopes for secrets at rest. The place (`table:row:column`) is bound into the envelope. */
export interface SecretBox {
  seal(place: string, secret: string): string
  /** Throws when the envelope was made for another place or with another key. */
  open(place: string, sealed: string): string
  /** The same for a whole text that is sealed for what it may hold: it is no word the log has to mask. */
  openText(place: string, sealed: string): string
  /** A key derived for one purpose, 32 bytes, stable across restarts and changes of the master key. */
  derive(purpose: string): Buffer
}
