/** A socket whose upstream speaks in frames of its own: what each frame is on the other side. */

export interface TranslatedFrames {
  /** Sent to the upstream as texts, in order. */
  readonly toUpstream: readonly Buffer[]
  /** Texts for the client in the operation's events, as if the upstream had sent them; they are watched before they go on. */
  readonly toClient: readonly Buffer[]
  /** No more of the client's frames is read until a frame of the upstream has changed that. */
  readonly waits: boolean
}

/**
 * One session, from the side of its upstream. Called once for each frame, in order. Pure, as the provider is. What the client gets
 * wrong it reports in an event; what it throws ends the session.
 */
export interface FrameTranslator {
  /** Before all frames, once the socket is open. */
  opened(): TranslatedFrames
  fromClient(frame: Buffer): TranslatedFrames
  fromUpstream(frame: Buffer): TranslatedFrames
}
