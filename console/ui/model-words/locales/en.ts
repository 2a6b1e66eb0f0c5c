/** Texts of kinds, abilities and modalities of models, English. */
export default {
  kinds: {
    chat: 'Chat',
    completion: 'Completion',
    embedding: 'Embedding',
    rerank: 'Rerank',
    image: 'Image',
    speech: 'Speech',
    transcription: 'Transcription',
    video: 'Video',
    music: 'Music',
    realtime: 'Realtime',
    moderation: 'Moderation',
    ocr: 'Text recognition',
  },
  abilities: {
    tools: 'Tools',
    images: 'Image input',
    structured_output: 'Structured output',
    reasoning: 'Reasoning',
    prompt_cache: 'Prompt cache',
  },
  modalities: {
    text: 'text',
    image: 'images',
    audio: 'audio',
    video: 'video',
    embedding: 'embeddings',
    score: 'scores',
  },
}
