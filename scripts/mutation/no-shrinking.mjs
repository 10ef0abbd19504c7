// @ts-check
// A mutant is dead at the first counterexample. Looking for the smallest one takes minutes where a test computes with pictures.
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
