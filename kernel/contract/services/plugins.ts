/** Plugins from outside are switched off and on, and loaded again, while the gateway runs. */

export interface Plugins {
  /** Why a plugin cannot be switched off and on, in a sentence. Undefined: it can be. */
  switchFault(id: string): string | undefined
  /**
   * Not used any more from now on; requests that use it end as they began. Idempotent. Rejects with the sentence of `switchFault`.
   */
  switchOff(id: string): Promise<void>
  /** Used again from its next call on. Idempotent; rejects as above. */
  switchOn(id: string): Promise<void>
  /**
   * Reads its manifest and imports its code anew; requests under way end with what they began with. Rejects with a sentence where
   * what is there now cannot take its place, and the plugin stays as it was.
   */
  reload(id: string): Promise<void>
}
