/** Returns whether a word ends a sentence, by its punctuation. */
export const endsSentence = (word: string): boolean => /[.?!…。？！]["'”’)\]]*$/.test(word);

/** Returns whether a word is an abbreviation such as “Dr.”, or an initial, whose period ends no sentence. */
export const isAbbreviation = (word: string): boolean => /^(?:mr|mrs|ms|dr|st|prof|[a-z])\.$/i.test(word);
