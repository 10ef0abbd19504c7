/** Lets what has been replied already reach whoever waits for it. */
export const settled = (): Promise<void> => new Promise((done) => setTimeout(done));
