//! Methods for records as they are written on the command line: `records`, `hmm(rho=0.5,signs=delimiter+unit)`.

use anyhow::Context;
use gristmill_records::{BuiltinCharacteristic, Dictionary, PairMethod, RecordOptions};

use crate::eval::in_process::split_outside_parentheses;

/// Reads a list of methods; `all` stands for all of them with their default values.
pub fn parse(list: &str) -> anyhow::Result<Vec<(String, RecordOptions)>> {
    let mut methods: Vec<(String, RecordOptions)> = Vec::new();
    for part in split_outside_parentheses(list).into_iter().map(str::trim).filter(|part| !part.is_empty()) {
        let names: Vec<&str> =
            if part == "all" { PairMethod::ALL.iter().map(|method| method.as_str()).collect() } else { vec![part] };
        for name in names {
            if !methods.iter().any(|(known, _)| known == name) {
                methods.push((name.to_owned(), method(name).with_context(|| format!("`--method {name}`"))?));
            }
        }
    }
    anyhow::ensure!(!methods.is_empty(), "`--method` names no method");
    Ok(methods)
}

fn method(text: &str) -> anyhow::Result<RecordOptions> {
    let (name, parameters) = match text.split_once('(') {
        Some((name, rest)) => (name, rest.strip_suffix(')').context("a parenthesis is left open")?),
        None => (text, ""),
    };
    let mut options = RecordOptions { method: name.trim().parse()?, ..RecordOptions::default() };
    for parameter in parameters.split(',').map(str::trim).filter(|parameter| !parameter.is_empty()) {
        let (key, value) = parameter.split_once('=').with_context(|| format!("`{parameter}` is not `key=value`"))?;
        set(&mut options, key.trim(), value.trim()).with_context(|| format!("`{parameter}`"))?;
    }
    Ok(options)
}

fn set(options: &mut RecordOptions, key: &str, value: &str) -> anyhow::Result<()> {
    let share = || -> anyhow::Result<f64> {
        let share: f64 = value.parse().context("not a number")?;
        anyhow::ensure!((0.0..=1.0).contains(&share), "must be between 0 and 1");
        Ok(share)
    };
    match (key, options.method) {
        ("threshold", PairMethod::Records) => options.threshold = share()? as f32,
        ("rho", PairMethod::Hmm) => options.hmm.rho = share()?,
        ("monotone", PairMethod::Hmm | PairMethod::HmmLiteral) => {
            options.hmm.monotone = match value {
                "on" => true,
                "off" => false,
                _ => anyhow::bail!("neither `on` nor `off`"),
            }
        }
        ("signs", PairMethod::Hmm | PairMethod::HmmLiteral) => {
            let sign = |name: &str| BuiltinCharacteristic::ALL.into_iter().find(|sign| sign.as_str() == name);
            let known = BuiltinCharacteristic::ALL.map(BuiltinCharacteristic::as_str).join(", ");
            let signs = value.split('+').map(|name| sign(name).with_context(|| format!("`{name}` is none of {known}")));
            options.hmm.signs = signs.collect::<anyhow::Result<_>>()?;
        }
        ("dictionary", _) => {
            options.dictionary = match value {
                "none" => Dictionary::empty(),
                "built-in" => Dictionary::built_in(),
                _ => anyhow::bail!("neither `none` nor `built-in`"),
            }
        }
        _ => anyhow::bail!("`{}` has no such parameter", options.method.as_str()),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_reach_the_method_that_has_them_and_no_other() {
        let methods =
            parse("all, hmm(rho=0.4,signs=delimiter+unit,monotone=on),records(threshold=0.5,dictionary=none)");
        let methods = methods.unwrap();
        assert_eq!(methods.len(), 6);
        let hmm = &methods[4].1.hmm;
        assert_eq!(
            (hmm.rho, &hmm.signs[..], hmm.monotone),
            (0.4, &[BuiltinCharacteristic::Delimiter, BuiltinCharacteristic::Unit][..], true)
        );
        assert!(methods[5].1.threshold == 0.5 && methods[5].1.dictionary.is_empty());
        for wrong in
            ["nosuch", "hmm(rho=2)", "hmm(threshold=0.5)", "records(rho=0.5)", "hmm(signs=x)", "hmm(rho=0.5", ","]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
